# libpfm4's headers, as the target pfm::pfm. The library itself is loaded when it is needed.
find_path(PFM_INCLUDE_DIR perfmon/pfmlib_perf_event.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Pfm REQUIRED_VARS PFM_INCLUDE_DIR)
if(Pfm_FOUND AND NOT TARGET pfm::pfm)
  add_library(pfm::pfm INTERFACE IMPORTED)
  set_target_properties(pfm::pfm PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${PFM_INCLUDE_DIR}
                        INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
endif()
