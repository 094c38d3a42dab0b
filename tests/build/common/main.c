#include "demo.h"

int main(void)
{
	const float x[3] = { 1, 2, 3 };
	float y[3] = { 0 };
	int status = demo_host(3, x, y);
	return status ? status : !(y[0] == 2 && y[1] == 4 && y[2] == 6);
}
