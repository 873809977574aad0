/* SPDX-License-Identifier: MIT */
/*
 * net.link: do the network interfaces have a link, and how fast is it?
 *
 * Without `interfaces` every physical one is looked at, and an unplugged one
 * beside others that work is no fault: boards have more sockets than cables.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/net.h"
#include "probe/paths.h"
#include "step.h"

struct net_link_params {
	char **interfaces;
	int64_t at_least;
};

static const struct param_row params[] = {
	{ .name = "interfaces",
	  .type = PARAM_STRINGS,
	  .offset = PARAM_OFFSET(net_link_params, interfaces),
	  .draft = DRAFT_INTERFACES,
	  .help = N_("Interfaces that must have a link, such as enp3s0; "
		     "all physical ones are looked at when none is named.") },
	{ .name = "at_least",
	  .type = PARAM_INT,
	  .fallback = "0",
	  .offset = PARAM_OFFSET(net_link_params, at_least),
	  .help = N_("Slowest link speed that is right, in Mb/s; 0 accepts any.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "links", OUTPUT_INT, N_("Number of interfaces looked at that have a link.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "link",
	  .title = N_("the interface has a link"),
	  .means = N_("The kernel reports a carrier on this interface.") },
	{ .id = "no-carrier",
	  .title = N_("no link"),
	  .means = N_("The interface has no carrier: no cable, a dead partner, or it is "
		      "switched off."),
	  .harm = N_("Nobody reaches the machine over the network, so nobody can finish the "
		     "work from afar."),
	  .mend = N_("Look at the cable and the lamp beside it, or bring the interface up with "
		     "`ip link set NAME up`."),
	  .acceptable = true },
	{ .id = "half-duplex",
	  .title = N_("half duplex"),
	  .means = N_("The link was negotiated as half duplex: one side speaks at a time. That "
		      "is what is left when one side does not negotiate."),
	  .harm = N_("Late collisions make transfers slow and figures of receiving worthless."),
	  .mend = N_("Let both sides negotiate (`ethtool -s NAME autoneg on`), or replace the "
		     "cable."),
	  .acceptable = true },
	{ .id = "slower",
	  .title = N_("slower than asked for"),
	  .means = N_("The link is slower than the runbook's `at_least`."),
	  .harm = N_("A copy over the network takes longer than planned."),
	  .mend = N_("Replace the cable (gigabit needs all four pairs), or look at the other "
		     "end's port.") },
	{ .id = "missing",
	  .title = N_("no such interface"),
	  .means = N_("An interface that was named does not exist. Names such as enp3s0 come "
		      "from the slot and change when a card is added."),
	  .harm = N_("Its configuration by name does not apply: the machine may come back "
		     "without an address."),
	  .mend = N_("Correct the name; `ip link` lists those that exist.") },
	{ .id = "unreadable",
	  .title = N_("the state could not be read"),
	  .means = N_("The kernel's facts of an interface could not be read, or the capture "
		      "does not hold them."),
	  .harm = N_("A link that is down would go unseen."),
	  .mend = N_("Make /sys readable, or capture the host again.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct net_link_params *p = data;
	size_t n = strv_length(p->interfaces);

	if (!n)
		return buf_adds(ret, _("see that the physical network interfaces have a link"));
	buf_adds(ret, PLURAL("see that this interface has a link:",
			     "see that these interfaces have a link:", n));
	for (size_t i = 0; i < n; i++)
		buf_addf(ret, " %s", p->interfaces[i]);
	return buf_error(ret);
}

/* The literal value of the attribute that a finding leans on. */
static void evidence(struct result *result, struct finding *finding, const struct nic *nic,
		     const char *attribute, const char *observed)
{
	AUTO_BUF source = BUF_INIT;

	buf_addf(&source, "%s/%s", nic->path, attribute);
	result_evidence(result, finding, buf_text(&source), observed, NULL, NULL);
}

static void judge_speed(const struct net_link_params *p, const struct nic *nic, struct result *ret)
{
	AUTO_BUF speed = BUF_INIT;
	AUTO_BUF law = BUF_INIT;
	AUTO_BUF source = BUF_INIT;
	struct finding *finding;

	if (nic->mbit_s >= p->at_least)
		return;
	finding = result_find(ret, "slower", nic->mbit_s ? VERDICT_FAIL : VERDICT_UNKNOWN, "%s",
			      nic->name);
	if (nic->mbit_s)
		result_say(ret, finding,
			   _("The link of %s runs at %lld Mb/s; at least %lld is asked for."),
			   nic->name, (long long)nic->mbit_s, (long long)p->at_least);
	else
		result_say(ret, finding,
			   _("%s does not tell its speed; at least %lld Mb/s is asked for."),
			   nic->name, (long long)p->at_least);
	result_remedy(ret, finding, _("Replace the cable, or look at the other end of %s."),
		      nic->name);
	buf_addf(&source, "%s/speed", nic->path);
	buf_addf(&speed, "%lld", (long long)nic->mbit_s);
	buf_addf(&law, "%lld < %lld", (long long)nic->mbit_s, (long long)p->at_least);
	result_evidence(ret, finding, buf_text(&source), nic->mbit_s ? buf_text(&speed) : NULL,
			nic->mbit_s ? buf_text(&law) : NULL, NULL);
}

static void judge_duplex(const struct nic *nic, struct result *ret)
{
	struct finding *finding;

	if (nic->wireless || !nic->duplex || nic->duplex[0] != 'h')
		return;
	finding = result_find(ret, "half-duplex", VERDICT_WARN, "%s", nic->name);
	result_say(ret, finding, _("The link of %s is half duplex."), nic->name);
	result_remedy(ret, finding, _("Let both ends of %s negotiate, or replace the cable."),
		      nic->name);
	evidence(ret, finding, nic, "duplex", nic->duplex);
}

static void say_link(const struct nic *nic, struct result *ret)
{
	struct finding *finding = result_find(ret, "link", VERDICT_PASS, "%s", nic->name);
	AUTO_BUF speed = BUF_INIT;

	if (!nic->mbit_s) {
		result_say(ret, finding, _("%s has a link."), nic->name);
		evidence(ret, finding, nic, "carrier", nic->carrier == 1 ? "1" : NULL);
		return;
	}
	buf_addf(&speed, "%lld", (long long)nic->mbit_s);
	result_say(ret, finding, _("%s has a link at %s Mb/s."), nic->name, buf_text(&speed));
	evidence(ret, finding, nic, "speed", buf_text(&speed));
}

static void say_unknown(const struct nic *nic, struct result *ret)
{
	struct finding *finding = result_find(ret, "unreadable", VERDICT_UNKNOWN, "%s", nic->name);

	result_say(ret, finding, _("Neither carrier nor state of %s is told."), nic->name);
	result_remedy(ret, finding, "%s", _("Capture the host again, with its /sys/class/net."));
	evidence(ret, finding, nic, "operstate", NULL);
}

static void say_no_carrier(const struct nic *nic, enum verdict verdict, struct result *ret)
{
	struct finding *finding = result_find(ret, "no-carrier", verdict, "%s", nic->name);
	bool off = nic->enabled == 0;

	if (off)
		result_say(ret, finding, _("%s is switched off."), nic->name);
	else
		result_say(ret, finding, _("%s has no link."), nic->name);
	if (verdict != VERDICT_PASS && off)
		result_remedy(ret, finding, _("Bring it up: ip link set %s up"), nic->name);
	else if (verdict != VERDICT_PASS)
		result_remedy(ret, finding, _("Look at the cable of %s and at its other end."),
			      nic->name);
	if (nic->carrier >= 0)
		evidence(ret, finding, nic, "carrier", nic->carrier ? "1" : "0");
	else
		evidence(ret, finding, nic, "operstate", nic->operstate);
}

/* Returns 1 when the interface has a link; `without` judges one that has none. */
static int judge(const struct net_link_params *p, const struct nic *nic, enum verdict without,
		 struct result *ret)
{
	if (!nic_state_known(nic)) {
		say_unknown(nic, ret);
		return 0;
	}
	if (!nic_has_link(nic)) {
		say_no_carrier(nic, without, ret);
		return 0;
	}
	say_link(nic, ret);
	judge_duplex(nic, ret);
	judge_speed(p, nic, ret);
	return 1;
}

static void say_missing(const struct nics *nics, const char *name, struct result *ret)
{
	struct finding *finding = result_find(ret, "missing", VERDICT_FAIL, "%s", name);
	AUTO_BUF there = BUF_INIT;

	for (size_t i = 0; i < nics->n; i++)
		buf_addf(&there, "%s%s", i ? " " : "", nics->items[i].name);
	result_say(ret, finding, _("There is no interface %s."), name);
	result_remedy(ret, finding, "%s", _("Correct the name; `ip link` lists those that exist."));
	result_evidence(ret, finding, PATH_CLASS_NET, buf_text(&there), NULL, NULL);
}

static int judge_named(const struct net_link_params *p, const struct nics *nics, struct result *ret)
{
	int linked = 0;

	for (char **name = p->interfaces; *name; name++) {
		const struct nic *nic = nics_find(nics, *name);

		if (nic)
			linked += judge(p, nic, VERDICT_FAIL, ret);
		else
			say_missing(nics, *name, ret);
	}
	return linked;
}

/* An unplugged socket is told as it is; only a machine without any link is a warning. */
static int judge_physical(const struct net_link_params *p, const struct nics *nics,
			  struct result *ret)
{
	enum verdict without = VERDICT_WARN;
	int linked = 0;

	for (size_t i = 0; i < nics->n; i++)
		if (nics->items[i].physical && nic_has_link(&nics->items[i]))
			without = VERDICT_PASS;
	for (size_t i = 0; i < nics->n; i++)
		if (nics->items[i].physical)
			linked += judge(p, &nics->items[i], without, ret);
	return linked;
}

static int run_without_facts(const struct step *step, const struct net_link_params *p,
			     const struct error *why, struct result *ret)
{
	bool nothing = why->code == -ENOENT && !host_is_live(step->host);

	if (nothing && !strv_length(p->interfaces))
		result_skip(ret, "%s", _("The capture holds no network interfaces."));
	else
		result_unknown(ret, "unreadable", PATH_CLASS_NET, PATH_CLASS_NET, why);
	return 0;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(cleanup_nics) struct nics *nics = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct net_link_params *p = data;
	int linked, r;

	r = nics_load(step->host, &nics, &why);
	if (r == -ENOMEM)
		return error_copy(err, &why);
	if (r < 0)
		return run_without_facts(step, p, &why, ret);
	linked = strv_length(p->interfaces) ? judge_named(p, nics, ret)
					    : judge_physical(p, nics, ret);
	if (!ret->n_findings) {
		result_skip(ret, "%s", _("This host has no physical network interface."));
		return 0;
	}
	result_output_int(ret, "links", linked);
	result_summary(ret,
		       PLURAL("%d network interface has a link.",
			      "%d network interfaces have a link.", linked),
		       linked);
	return 0;
}

const struct kind kind_net_link = {
	.name = "net.link",
	.class = KIND_CHECK,
	.title = N_("network links"),
	.help = N_("Reads carrier, speed and duplex of the network interfaces from sysfs. It "
		   "tells whether the machine can be reached before the work and after it, and "
		   "finds a link that was negotiated wrongly."),
	.deadline_s = 5,
	.params_size = sizeof(struct net_link_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
