# cmake --install: the program, its manual pages, its completion for bash, zsh and fish, and its documents.
# The program itself writes the pages and scripts, when they are installed: they cannot be older than it is.
install(TARGETS reveal RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Of a cross build it is run by an emulator.
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
set(made ${CMAKE_BINARY_DIR}/installed)
# The prefix may be chosen as late as by `cmake --install --prefix`.
if(IS_ABSOLUTE ${CMAKE_INSTALL_DOCDIR})
  set(documents ${CMAKE_INSTALL_DOCDIR})
else()
  set(documents "\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}")
endif()
install(CODE "
  file(MAKE_DIRECTORY ${made}/man1)
  execute_process(COMMAND ${emulator} $<TARGET_FILE:reveal> man --output ${made}/man1 --documents \"${documents}\"
    COMMAND_ERROR_IS_FATAL ANY)
  foreach(shell bash zsh fish)
    execute_process(COMMAND ${emulator} $<TARGET_FILE:reveal> completion \${shell} OUTPUT_FILE ${made}/reveal.\${shell}
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${made}/reveal.bash RENAME reveal
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/reveal.zsh RENAME _reveal DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${made}/reveal.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md LICENSE CHANGELOG.md SECURITY.md GLOSSARY.md ARCHITECTURE.md CONTRIBUTING.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
