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
  else()
    add_library(reveal_${name} INTERFACE)
    target_include_directories(reveal_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(reveal_${name} INTERFACE ${deps})
  endif()

  if(REVEAL_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_compile_definitions(${name}_test PRIVATE
      REVEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" REVEAL_BINARY_DIR="${PROJECT_BINARY_DIR}")
    target_link_libraries(${name}_test PRIVATE reveal_${name} reveal_flags GTest::gmock_main)
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
