/* SPDX-License-Identifier: MIT */
/* NVMe: the SMART / health information log page. */
#include "probe/smart_internal.h"

void smart_nvme_read(const struct smart_document *document, struct smart *smart)
{
	static const char key[] = "nvme_smart_health_information_log";
	const json_t *log = json_object_get(document->json, key);
	struct smart_nvme *nvme = &smart->nvme;
	struct json_place place = document->place;

	nvme->told = json_is_object(log) && json_place_enter(&place, key);
	nvme->critical_warning = smart_count_of(log, &place, "critical_warning");
	nvme->spare = smart_count_of(log, &place, "available_spare");
	nvme->spare_threshold = smart_count_of(log, &place, "available_spare_threshold");
	nvme->used = smart_count_of(log, &place, "percentage_used");
	nvme->media_errors = smart_count_of(log, &place, "media_errors");
	if (smart->hours < 0)
		smart->hours = smart_number(json_object_get(log, "power_on_hours"));
}
