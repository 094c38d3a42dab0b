# patc.m4 - PATC_PROG finds patc, as PATC; a user may name another one by that variable.
#
# PATC_PROG([VERSION]): an error if it is missing, or older.
AC_DEFUN([PATC_PROG], [
AC_ARG_VAR([PATC], [the compiler of parallel patterns])
AC_PATH_PROG([PATC], [patc])
AS_IF([test -z "$PATC"], [AC_MSG_ERROR([patc is needed: it compiles the .pat files])])
m4_ifval([$1], [
AC_MSG_CHECKING([whether patc is $1 or newer])
patc_version=`"$PATC" --version | sed -n 's/^patc //p'`
AS_VERSION_COMPARE([$patc_version], [$1], [AC_MSG_RESULT([no, $patc_version])
	AC_MSG_ERROR([patc $1 or newer is needed])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([yes])])])
])
