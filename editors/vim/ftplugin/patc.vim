" Vim filetype plugin for patc: tabs, comments, `gq` by patc fmt, and `:make` with patc's errors.
if exists('b:did_ftplugin')
	finish
endif
let b:did_ftplugin = 1

setlocal noexpandtab tabstop=8 shiftwidth=8 softtabstop=0 textwidth=100
setlocal comments=s1:/*,mb:*,ex:*/,:// commentstring=//\ %s
setlocal formatprg=patc\ fmt\ -
setlocal makeprg=patc\ -target=cpu\ --dump=graph\ %\ >/dev/null
setlocal errorformat=%f:%l:%c:\ %trror[P%n]:\ %m
let b:undo_ftplugin = 'setlocal expandtab< tabstop< shiftwidth< softtabstop< textwidth< comments<'
	\ . ' commentstring< formatprg< makeprg< errorformat<'
