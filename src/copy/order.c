/* SPDX-License-Identifier: MIT */
/* Entries are ready in any order, and go into the manifest in that of the walk. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "copy/make.h"

#define SLOTS 4096
#define WEIGHT_MAX ((size_t)4 << 20)

struct order {
	struct run *run;
	struct manifest_writer *writer;
	pthread_mutex_t lock;
	pthread_cond_t room;
	struct slot slots[SLOTS];
	size_t head, tail; /* ever taken, ever written */
	size_t weight;     /* bytes of what is open */
};

int order_new(struct run *run, struct manifest_writer *writer, struct order **ret)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	order->run = run;
	order->writer = writer;
	pthread_mutex_init(&order->lock, NULL);
	pthread_cond_init(&order->room, NULL);
	*ret = order;
	return 0;
}

void order_free(struct order *order)
{
	size_t i;

	if (!order)
		return;
	for (i = 0; i < SLOTS; i++)
		copy_entry_done(&order->slots[i].entry);
	pthread_cond_destroy(&order->room);
	pthread_mutex_destroy(&order->lock);
	free(order);
}

struct slot *order_take(struct order *order, char *path)
{
	struct slot *slot;

	pthread_mutex_lock(&order->lock);
	while (order->head - order->tail == SLOTS ||
	       (order->weight > WEIGHT_MAX && order->head != order->tail))
		pthread_cond_wait(&order->room, &order->lock);
	slot = &order->slots[order->head++ % SLOTS];
	memset(slot, 0, sizeof(*slot));
	slot->entry.path = path;
	slot->weight = strlen(path);
	order->weight += slot->weight;
	pthread_mutex_unlock(&order->lock);
	return slot;
}

/* What is ready at the front; the lock is held. */
static void write_ready(struct order *order)
{
	while (order->tail < order->head) {
		struct slot *slot = &order->slots[order->tail % SLOTS];
		struct error err = ERROR_INIT;

		if (!slot->ready)
			break;
		if (!slot->failed && !run_is_over(order->run) &&
		    manifest_add(order->writer, &slot->entry, &err) < 0)
			run_system(order->run, err.code, COPY_MANIFEST, "cannot write");
		error_done(&err);
		order->weight -= slot->weight;
		copy_entry_done(&slot->entry);
		slot->ready = false;
		order->tail++;
	}
}

void order_ready(struct order *order, struct slot *slot, bool failed)
{
	pthread_mutex_lock(&order->lock);
	slot->ready = true;
	slot->failed = failed;
	write_ready(order);
	pthread_cond_broadcast(&order->room);
	pthread_mutex_unlock(&order->lock);
}
