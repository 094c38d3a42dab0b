/* lex_memory.h - the memory of a scanner, which a .l file includes in its last part.
 *
 * A text is one buffer, which never grows; its memory is the arena's, which ends the run when there
 * is none.  Flex renames the functions where a scanner has a prefix. */
void *yyalloc(yy_size_t bytes, void *scanner)
{
	(void)scanner;
	return mem_new(bytes);
}

void *yyrealloc(void *memory, yy_size_t bytes, void *scanner)
{
	(void)memory, (void)bytes, (void)scanner;
	assert(!"a scanner's buffer never grows");
	return NULL;
}

void yyfree(void *memory, void *scanner)
{
	(void)memory, (void)scanner;
}
