/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "copy/run.h"
#include "sys/clock.h"

#define LOOK_US 5000
#define TELL_US 200000

struct thread {
	int (*fn)(void *of);
	void *of;
	int result;
	atomic_bool ended;
};

static void *run_thread(void *data)
{
	struct thread *thread = data;

	thread->result = thread->fn(thread->of);
	atomic_store(&thread->ended, true);
	return NULL;
}

static void tell(struct run *run, const struct phase *phase)
{
	struct copy_progress progress = { .phase = phase->name,
					  .done = atomic_load(&run->done),
					  .total = phase->total };

	if (phase->progress)
		phase->progress(phase->data, &progress);
}

int run_phase(struct run *run, const struct phase *phase, int (*fn)(void *of), void *of)
{
	struct thread thread = { .fn = fn, .of = of };
	uint64_t told = clock_monotonic_us();
	pthread_t id;

	atomic_init(&thread.ended, false);
	atomic_store(&run->done, 0);
	tell(run, phase);
	if (pthread_create(&id, NULL, run_thread, &thread) != 0)
		return run_system(run, -EAGAIN, NULL, "cannot start a thread for");
	while (!atomic_load(&thread.ended)) {
		clock_pause(LOOK_US);
		(void)run_check_held(run);
		if (clock_monotonic_us() - told < TELL_US)
			continue;
		told = clock_monotonic_us();
		tell(run, phase);
	}
	pthread_join(id, NULL);
	tell(run, phase);
	return run_is_over(run) ? -ECANCELED : thread.result;
}
