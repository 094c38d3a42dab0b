autocmd BufNewFile,BufRead *.pat setfiletype patc
