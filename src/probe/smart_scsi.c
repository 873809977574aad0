/* SPDX-License-Identifier: MIT */
/* SCSI and SAS: defect lists, error counters, endurance. */
#include "probe/smart_internal.h"

/* smartctl 7.3 and 7.4 name it differently. */
static struct smart_count used_of(const struct smart_document *document)
{
	struct json_place place = document->place;
	struct smart_count used =
		smart_count_of(document->json, &place, "scsi_percentage_used_endurance_indicator");

	if (used.n < 0 && json_place_enter(&place, "endurance_used"))
		used = smart_count_of(json_object_get(document->json, "endurance_used"), &place,
				      "current_percent");
	return used;
}

static struct smart_count pending_of(const struct smart_document *document)
{
	struct json_place place = document->place;

	if (!json_place_enter(&place, "scsi_pending_defects"))
		return (struct smart_count){ -1, 0 };
	return smart_count_of(json_object_get(document->json, "scsi_pending_defects"), &place,
			      "count");
}

void smart_scsi_read(const struct smart_document *document, struct smart *smart)
{
	static const char *const directions[] = { "read", "write", "verify" };
	static const char key[] = "scsi_error_counter_log";
	struct smart_scsi *scsi = &smart->scsi;

	scsi->grown_defects =
		smart_count_of(document->json, &document->place, "scsi_grown_defect_list");
	scsi->pending_defects = pending_of(document);
	scsi->used = used_of(document);
	scsi->told = scsi->grown_defects.n >= 0 || scsi->pending_defects.n >= 0;
	for (size_t i = 0; i < ELEMENTS(directions); i++) {
		struct json_place place = document->place;
		bool there =
			json_place_enter(&place, key) && json_place_enter(&place, directions[i]);

		scsi->uncorrected[i] = (struct smart_count){ -1, 0 };
		if (there)
			scsi->uncorrected[i] =
				smart_count_of(json_at(document->json, key, directions[i], NULL),
					       &place, "total_uncorrected_errors");
		scsi->told |= scsi->uncorrected[i].n >= 0;
	}
}
