# Unity builds (CMAKE_UNITY_BUILD, in the presets release, asan and tsan) compile several files of a target as
# one, which reads the headers once: two thirds of the time where nothing is optimised. These files stay
# on their own, because their unnamed namespaces define what others' do, too. So do the files of
# families_files(), which are alike by intention, those of bench/, and in releases those of rules/ and search/.
# (In app/, every command has its Options: in a namespace of its own.)
function(faultline_compile_alone folder)
  foreach(file IN LISTS ARGN)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/${folder}/${file} DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
      PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

faultline_compile_alone(rules families/gardner.cpp)
faultline_compile_alone(model training/train_params.cpp)
# These define templates that others use: clang 14 would leave them out.
faultline_compile_alone(search searchers.cpp)
faultline_compile_alone(strategy strategy.cpp)
faultline_compile_alone(play pgn_lexer.cpp)
faultline_compile_alone(engine uci_engine_spec.cpp)
faultline_compile_alone(lab strength.cpp study_document.cpp study_settings.cpp tournament.cpp tournament_games.cpp)
faultline_compile_alone(report games_source.cpp run_source.cpp study_source.cpp survey_source.cpp tournament_source.cpp)
if(FAULTLINE_TESTS)
  faultline_compile_alone(tests/rules counters_test.cpp)
  faultline_compile_alone(tests/search material_test.cpp)
  faultline_compile_alone(tests/fuzz allocations.cpp)  # replaces operator new
  faultline_compile_alone(tests/play game_test.cpp)
  faultline_compile_alone(tests/app documented_families_test.cpp)
  faultline_compile_alone(tests/lab players_test.cpp rating_test.cpp)
  faultline_compile_alone(tests/record run_folder_test.cpp)
endif()
