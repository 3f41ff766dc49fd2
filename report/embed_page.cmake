# Writes the file IN as a string literal, kReportPage of report/page_template.h, to OUT. In pieces:
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
file(WRITE "${OUT}" "#include \"report/page_template.h\"\n\n\
const std::string_view faultline::kReportPage =\n${literals}    ;\n")
