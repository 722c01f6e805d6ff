# With REVEAL_BATCHES a target's sources are compiled several at once (tools/batches.py): half of the
# work if everything is compiled, more than before if one source has changed.
function(reveal_compile_in_batches target sources)
  if(NOT REVEAL_BATCHES)
    return()
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/batches.py ${sources}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9]+) (.+)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Tells those of a target's sources that ask for it where the checkout is. Only those, so that a compiler
# cache finds the others in any checkout; but all of a target that is compiled in batches, which leave out
# a source with definitions of its own.
function(reveal_define_source_dir target sources)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} asks REGEX "REVEAL_SOURCE_DIR|sysfs_copy\\.h" LIMIT_COUNT 1)
    if(asks AND REVEAL_BATCHES)
      target_compile_definitions(${target} PRIVATE REVEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
      return()
    elseif(asks)
      set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS
        "REVEAL_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
    endif()
  endforeach()
endfunction()

# reveal_module(NAME DEPS ...) makes the static library reveal_NAME of src/NAME/*.cc and, where
# tests are built, one test program NAME_test of src/NAME/*_test.cc. Dependencies that are modules
# are named bare; others by their CMake target.
function(reveal_module name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  set(deps "")
  foreach(dep IN LISTS ARG_DEPS)
    if(dep MATCHES "::")
      list(APPEND deps ${dep})
    else()
      list(APPEND deps reveal_${dep})
    endif()
  endforeach()

  if(sources)
    add_library(reveal_${name} STATIC ${sources})
    target_include_directories(reveal_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(reveal_${name} PUBLIC ${deps} PRIVATE reveal_flags)
    reveal_compile_in_batches(reveal_${name} "${sources}")
  else()
    add_library(reveal_${name} INTERFACE)
    target_include_directories(reveal_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(reveal_${name} INTERFACE ${deps})
  endif()

  if(REVEAL_TESTS AND tests)
    add_executable(${name}_test ${tests})
    reveal_define_source_dir(${name}_test "${tests}")
    target_link_libraries(${name}_test PRIVATE reveal_${name} reveal_flags GTest::gmock_main)
    reveal_compile_in_batches(${name}_test "${tests}")
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
