# reveal_embed_page(TARGET SOURCE) builds the pages' scripts and styles from web/ and lets SOURCE, one of
# TARGET's files, hold them (src/page/assets.h). Where esbuild or uPlot is missing it holds none.
function(reveal_embed_page target source)
  find_program(ESBUILD esbuild)
  set(node_modules ${PROJECT_SOURCE_DIR}/build/deps/node_modules)
  set(built ${CMAKE_BINARY_DIR}/page)
  set(files)
  set(definitions)
  foreach(name page live fleet)
    string(TOUPPER ${name} upper)
    list(APPEND files ${built}/${name}.js ${built}/${name}.css)
    list(APPEND definitions "REVEAL_${upper}_SCRIPT=\"${built}/${name}.js\"" "REVEAL_${upper}_STYLE=\"${built}/${name}.css\"")
  endforeach()
  if(ESBUILD AND EXISTS ${node_modules}/uplot/dist/uPlot.esm.js)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    file(GLOB_RECURSE packages ${node_modules}/uplot/*)
    add_custom_command(
      OUTPUT ${files}
      COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${node_modules}
              ${PROJECT_SOURCE_DIR}/tools/build_page.sh ${built}
      DEPENDS ${PROJECT_SOURCE_DIR}/tools/build_page.sh ${sources} ${packages}
      COMMENT "Building the pages"
      VERBATIM)
    target_sources(${target} PRIVATE ${files})
  else()
    message(NOTICE "No report.html: esbuild or uPlot is missing; `make deps-page` gets them")
    foreach(file ${files})
      file(WRITE ${file} "")
    endforeach()
  endif()
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}" COMPILE_DEFINITIONS "${definitions}")
endfunction()
