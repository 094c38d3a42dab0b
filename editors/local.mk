# What editors know of the language, filled with the words that patc lists.
EDITORS_MADE = %D%/vim/syntax/patc.vim %D%/emacs/patc-mode.el %D%/vscode/package.json \
	%D%/vscode/syntaxes/patc.tmLanguage.json
EXTRA_DIST += %D%/fill.sh %D%/vim/syntax/patc.vim.in %D%/emacs/patc-mode.el.in %D%/vscode/package.json.in \
	%D%/vscode/syntaxes/patc.tmLanguage.json.in
CLEANFILES += $(EDITORS_MADE)
editorsdir = $(pkgdatadir)/editors
dist_editors_DATA = %D%/README.md
editorsvimsyntaxdir = $(editorsdir)/vim/syntax
nodist_editorsvimsyntax_DATA = %D%/vim/syntax/patc.vim
editorsvimftdetectdir = $(editorsdir)/vim/ftdetect
dist_editorsvimftdetect_DATA = %D%/vim/ftdetect/patc.vim
editorsvimftplugindir = $(editorsdir)/vim/ftplugin
dist_editorsvimftplugin_DATA = %D%/vim/ftplugin/patc.vim
editorsemacsdir = $(editorsdir)/emacs
nodist_editorsemacs_DATA = %D%/emacs/patc-mode.el
editorsvscodedir = $(editorsdir)/vscode
dist_editorsvscode_DATA = %D%/vscode/language-configuration.json
nodist_editorsvscode_DATA = %D%/vscode/package.json
editorsvscodesyntaxesdir = $(editorsvscodedir)/syntaxes
nodist_editorsvscodesyntaxes_DATA = %D%/vscode/syntaxes/patc.tmLanguage.json
# Where Vim and Emacs of a distribution look.
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
nodist_vimsyntax_DATA = %D%/vim/syntax/patc.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = %D%/vim/ftdetect/patc.vim
vimftplugindir = $(datadir)/vim/vimfiles/ftplugin
dist_vimftplugin_DATA = %D%/vim/ftplugin/patc.vim
emacslispdir = $(datadir)/emacs/site-lisp
nodist_emacslisp_DATA = %D%/emacs/patc-mode.el

# Completions, made from --help.
COMPLETIONS = %D%/complete/patc %D%/complete/_patc %D%/complete/patc.fish
EXTRA_DIST += %D%/complete.sh
CLEANFILES += $(COMPLETIONS)
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = %D%/complete/patc
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = %D%/complete/_patc
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_fishcompletion_DATA = %D%/complete/patc.fish
$(COMPLETIONS): patc$(EXEEXT) %D%/complete.sh
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)case $@ in *.fish) s=fish ;; */_*) s=zsh ;; *) s=bash ;; esac; \
		$(SHELL) $(srcdir)/%D%/complete.sh $(PATC_FOR_BUILD) $$s > $@.tmp && mv $@.tmp $@

$(EDITORS_MADE): patc$(EXEEXT) %D%/fill.sh
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/fill.sh $(PATC_FOR_BUILD) $(srcdir)/$@.in > $@.tmp && mv $@.tmp $@
%D%/vim/syntax/patc.vim: %D%/vim/syntax/patc.vim.in
%D%/emacs/patc-mode.el: %D%/emacs/patc-mode.el.in
%D%/vscode/package.json: %D%/vscode/package.json.in
%D%/vscode/syntaxes/patc.tmLanguage.json: %D%/vscode/syntaxes/patc.tmLanguage.json.in
