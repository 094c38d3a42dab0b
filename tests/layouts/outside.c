/* outside.c - --check: what is trusted and wrong is neither read nor written, and the first such
 * access is told of; the memory around the arrays stays as it was. */
#include <stdint.h>
#include <stdio.h>
#include "outside.h"

enum { N = 40, M = 30, BAD = 7, AWAY = 3, AROUND = 8, CHECK = 31 };
static float x[N], y[AROUND + N + AROUND];
static uint8_t small[N], largest[AROUND + N + AROUND];
static int32_t at[N], begin[N + 1];
static int wrong;

static void want(const char *what, double got, double expected)
{
	wrong += got != expected;
	if (got != expected)
		printf("%s: %g, expected %g\n", what, got, expected);
}

static void fill(int place)
{
	for (int i = 0; i < N; i++) {
		x[i] = (float)(i + 1);
		small[i] = (uint8_t)(i + 1);
		at[i] = i;
	}
	for (int i = 0; i < AROUND + N + AROUND; i++) {
		y[i] = 100;
		largest[i] = 0;
	}
	at[BAD] = place;
}

static void want_written(const char *what, double before)
{
	for (int i = 0; i < AROUND + N + AROUND; i++) {
		const int cell = i - AROUND;
		want(what, y[i], cell < 0 || cell >= M || cell == BAD ? 100 : before + cell + 1);
	}
}

static void gathers(void)
{
	fill(N + AWAY);
	want("pick", pick_host(N, M, x, at, y), CHECK);
	for (int i = 0; i < M; i++)
		want("picked", y[i], i == BAD ? 0 : i + 1);
	fill(BAD);
	want("pick, right", pick_host(N, M, x, at, y), 0);
}

static void scatters(void)
{
	fill(-AWAY);
	want("put", put_host(M, N, x, at, y + AROUND), CHECK);
	want_written("put there", 0);
	fill(N + AWAY);
	want("add", add_host(M, N, x, at, y + AROUND), CHECK);
	want_written("added there", 100);
	fill(N + AWAY);
	want("most", most_host(M, N, small, at, largest + AROUND), CHECK);
	for (int i = 0; i < AROUND + N + AROUND; i++)
		want("the largest", largest[i],
		     i < AROUND || i >= AROUND + M || i == AROUND + BAD ? 0 : i - AROUND + 1);
}

/* A kernel of a GPU goes over the terms that there are, and reads none outside. */
static void ragged(void)
{
	for (int i = 0; i <= N; i++)
		begin[i] = i < M ? i : M;
	begin[N] = M + AWAY;
	const int status = rows_host(M, N, x, begin, y);
	want("rows", status && status != CHECK, 0);
	for (int i = 0; i < N; i++)
		want("a row", y[i], i < M ? i + 1 : 0);
}

/* Any argument says that this is a GPU, whose memory is not ours. */
int main(int n, char **arg)
{
	static int64_t workspace[1 << 10];
	struct patc_offence first;
	(void)arg;
	gathers();
	scatters();
	ragged();
	if (n > 1)
		return wrong > 0;
	fill(N + AWAY);
	want("the call", pick(N, M, x, at, y, workspace, sizeof workspace, NULL), 0);
	want("its status", pick_status(workspace, NULL), CHECK);
	want("the offence", pick_offence(workspace, NULL, &first), CHECK);
	want("its line", first.line, 2);
	want("its cell", (double)first.cell, N + AWAY);
	fill(BAD);
	want("the next call", pick(N, M, x, at, y, workspace, sizeof workspace, NULL), 0);
	want("no offence", pick_offence(workspace, NULL, &first), 0);
	want("nor its line", first.line, 0);
	return wrong > 0;
}
