/* Many references at a time to few shared counters: one up for each taken, one down for each left, and the last who took
 * shapes: m=1031 counters=100; m=1 counters=100; m=67 counters=131
 * bench: m=4000000 counters=100 */
#include <stdint.h>

void refcount_reference(int64_t m, int64_t counters, int32_t taken[m], int32_t left[m], int64_t count[counters],
	int32_t stamp[counters])
{
	for (int64_t i = 0; i < m; i++) {
		count[taken[i]]++;
		count[left[i]]--;
		if (stamp[taken[i]] < (int32_t)i)
			stamp[taken[i]] = (int32_t)i;
	}
}
