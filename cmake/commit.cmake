# Which commit is built. As a script (cmake -D SOURCE=... -D OUTPUT=... -P commit.cmake) it writes a header
# of two definitions, and leaves it alone if it says so already. Included, it defines
# reveal_tell_commit(TARGET SOURCE), which has SOURCE, one of TARGET's files, include that header as
# REVEAL_COMMIT_FILE; it is written anew after git has moved HEAD.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(commit unknown)
  set(date "")
  find_program(GIT git)
  # A clone inside of another repository must not be taken for it.
  if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} show --no-patch --format=%H,%cs HEAD
      OUTPUT_VARIABLE said ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(said MATCHES "^([0-9a-f]+),([-0-9]+)$")
      set(commit ${CMAKE_MATCH_1})
      set(date ${CMAKE_MATCH_2})
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY
    CONTENT "#define REVEAL_COMMIT \"@commit@\"\n#define REVEAL_COMMIT_DATE \"@date@\"\n")
  return()
endif()

function(reveal_tell_commit target source)
  set(header ${CMAKE_BINARY_DIR}/commit/commit.inc)
  set(write ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${header}
            -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake)
  # Now too, for those who read sources without a build.
  execute_process(COMMAND ${write} COMMAND_ERROR_IS_FATAL ANY)
  # Git appends to the log of HEAD whenever it moves it; a work tree has a log of its own.
  set(moved "")
  find_program(GIT git)
  if(GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    foreach(name logs/HEAD HEAD)
      execute_process(COMMAND ${GIT} -C ${PROJECT_SOURCE_DIR} rev-parse --git-path ${name}
        OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      if(EXISTS ${path} AND NOT IS_DIRECTORY ${path})
        list(APPEND moved ${path})
      endif()
    endforeach()
  endif()
  add_custom_command(OUTPUT ${header} COMMAND ${write} VERBATIM
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/commit.cmake ${moved} COMMENT "Asking git for the commit")
  target_sources(${target} PRIVATE ${header})
  file(RELATIVE_PATH documents ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DOCDIR})
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS ${header}
    COMPILE_DEFINITIONS "REVEAL_COMMIT_FILE=\"${header}\";REVEAL_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\";REVEAL_SANITIZERS=\"${REVEAL_SANITIZE}\";REVEAL_DOCUMENTS=\"${documents}\"")
endfunction()
