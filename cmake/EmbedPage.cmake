# faultline_embed_page(OUT PAGE HEADER NAME): OUT is a generated source with page/assets/PAGE.html as the constant
# NAME, which HEADER declares. The pages are built from page/src by npm and committed; building the program needs no npm.
function(faultline_embed_page out page header name)
  set(file ${PROJECT_SOURCE_DIR}/page/assets/${page}.html)
  set(source ${PROJECT_BINARY_DIR}/generated/page/${page}.cpp)
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${source} -DHEADER=${header} -DNAME=${name}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    VERBATIM)
  set(${out} ${source} PARENT_SCOPE)
endfunction()
