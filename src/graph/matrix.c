/* matrix.c - which matrix unit multiplies cells of two types (matrix.h). */
#include "matrix.h"

#include "target.h"

const struct matrix_unit *matrix_unit(const struct target *t, const struct type *left,
                                      const struct type *right, const struct type *sum,
                                      enum precision precision)
{
	for (const struct matrix_unit *u = t->matrix_units; u && u->name; u++)
		if (u->left == left->kind && u->right == right->kind && u->sum == sum->kind
		    && u->precision == precision)
			return u;
	return NULL;
}

bool matrix_asks(const struct target *t, const struct matrix_unit *unit)
{
	return unit->least > t->level;
}
