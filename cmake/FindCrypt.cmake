# crypt_r(3) of libxcrypt, which knows bcrypt, as the target crypt::crypt.
find_path(CRYPT_INCLUDE_DIR crypt.h)
find_library(CRYPT_LIBRARY crypt)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Crypt REQUIRED_VARS CRYPT_LIBRARY CRYPT_INCLUDE_DIR)
if(Crypt_FOUND AND NOT TARGET crypt::crypt)
  add_library(crypt::crypt UNKNOWN IMPORTED)
  set_target_properties(crypt::crypt PROPERTIES IMPORTED_LOCATION ${CRYPT_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${CRYPT_INCLUDE_DIR})
endif()
