# Writes the file IN as a string literal, the constant NAME that HEADER declares, to OUT. In pieces:
# compilers need not accept longer literals than 64 KiB.
file(READ "${IN}" text)
string(LENGTH "${text}" length)
set(literals "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 60000 piece)
  string(APPEND literals "    R\"faultline(${piece})faultline\"\n")
  math(EXPR at "${at} + 60000")
endwhile()
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\n\
const std::string_view faultline::${NAME} =\n${literals}    ;\n")
