-- neovim.lua - patc lsp in Neovim 0.7 or newer:
--     PATC=patc nvim --headless -u NONE -i NONE -n -S neovim.lua
-- What is wrong goes to standard error, and the exit status is 1.
local wrong = "kernel k(x: f32[n], out y: f32[n]) {\n\tmap y[i] = x[i]+z;\n}"
local right = "kernel k(x: f32[n], out y: f32[n]) {\n\tmap y[i] = x[i] + x[i];\n}"

local formatted = "kernel k(x: f32[n], out y: f32[n]) { map y[i] = x[i] + x[i]; }"

local function buffer_text()
	return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function set_text(text)
	vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n"))
end

local function wait_for(what, holds)
	assert(vim.wait(10000, holds, 20), what .. ": " .. vim.inspect(vim.diagnostic.get(0)))
end

local function ask(method, line, character)
	local params = { textDocument = vim.lsp.util.make_text_document_params(),
		position = { line = line, character = character } }
	local answers = assert(vim.lsp.buf_request_sync(0, method, params, 10000), method)
	local _, answer = next(answers)
	return assert(answer and answer.result, method .. " has no result")
end

local function test()
	vim.cmd("edit k.pat")
	set_text(wrong)
	local client = assert(vim.lsp.start_client({ cmd = { vim.env.PATC, "lsp" } }), "no client")
	assert(vim.lsp.buf_attach_client(0, client), "not attached")
	wait_for("an error", function() return #vim.diagnostic.get(0) == 1 end)
	local error = vim.diagnostic.get(0)[1]
	assert(error.lnum == 1 and error.col == 17, vim.inspect(error))
	assert(error.message:find("z", 1, true), error.message)

	set_text(right)
	wait_for("no error after a change", function() return #vim.diagnostic.get(0) == 0 end)

	local hover = ask("textDocument/hover", 1, 12)
	assert(hover.contents.value:find("f32[n]", 1, true), vim.inspect(hover))
	local place = ask("textDocument/definition", 1, 12)
	assert((place.range or place[1].range).start.line == 0, vim.inspect(place))

	set_text("kernel k(x:f32[n],out y:f32[n]){map y[i]=x[i]+x[i];}")
	if vim.lsp.buf.format then
		vim.lsp.buf.format({ timeout_ms = 10000 })
	else
		vim.lsp.buf.formatting_sync(nil, 10000)
	end
	assert(buffer_text() == formatted, buffer_text())
end

local holds, why = pcall(test)
if not holds then
	io.stderr:write(tostring(why), "\n")
end
vim.cmd(holds and "qall!" or "cquit!")
