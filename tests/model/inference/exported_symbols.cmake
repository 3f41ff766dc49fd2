# Fails unless the object file OBJECT defines one symbol that other files see, the table SYMBOL. A second
# would be an inline function or template: the linker keeps one copy of each for the whole program,
# which might be this one, compiled for instructions that other processors lack.
execute_process(COMMAND ${NM} --demangle --defined-only --extern-only ${OBJECT}
  OUTPUT_VARIABLE symbols OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "^[0-9a-f]+ [RD] faultline::${SYMBOL}$")
  message(FATAL_ERROR "${OBJECT} should export faultline::${SYMBOL} alone, but exports\n${symbols}")
endif()
