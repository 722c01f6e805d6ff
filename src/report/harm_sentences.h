// Who did it, who had to wait, what it cost and what came first, as sentences for people. Texts of
// others (names of groups) are in them as they are.
#pragma once

#include <string>
#include <vector>

#include "attribute/finding.h"
#include "report/group_name.h"
#include "report/report.h"
#include "text/time_text.h"

namespace reveal::report {

// Returns "Who: slurm job 7 used 0.94 of a core (usually 0.00)."; empty if nobody is known.
std::string who_sentence(const Names& names, const attribute::Finding& finding);

// Returns "Process: python3 (pid 4242) used 1.88 cores (usually 0.02), 93 % of what all processes
// used more."; empty if none is known.
std::string process_sentence(const Names& names, const attribute::Finding& finding);

// Returns "Suffered: /web waited for a CPU 42 % of the time (usually 3 %)."; empty if nobody did.
std::string suffered_sentence(const Names& names, const attribute::Finding& finding);

// Returns "Stalled: 4.2 s (I/O pressure)."; empty if the severity is not taken from stalls.
std::string stalled_sentence(const Names& names, const attribute::Finding& finding);

// Returns "Work: the job ran at 66 % (± 2) of its usual rate from 12:31:05.3 to 12:31:13.1: 2.7 s
// of work lost.", or that it kept its rate; empty if no work rate is known. If the hypervisor took
// a little of the time and much was lost, it says that this is not all.
std::string work_sentence(const Names& names, const attribute::Finding& finding,
                          const text::Clock& clock = text::Clock());

// Returns "Missed: the recorder got no tick for 7.3 s of it; counters tell what happened
// meanwhile."; empty if it missed less than a second.
std::string missed_sentence(const attribute::Finding& finding);

// Returns "Compared: with the run of 2026-11-28 09:14:00.0 UTC, which this looked like."; empty if
// it was compared with what came before.
std::string compared_sentence(const attribute::Finding& finding,
                              const text::Clock& clock = text::Clock());

// Returns "Subsystem: not known, because the names of the metrics that show it do not tell."; empty
// if it is known.
std::string unknown_sentence(const attribute::Finding& finding);

// Returns the last of these and then the others, as many as there are.
std::vector<std::string> harm_sentences(const Names& names, const attribute::Finding& finding,
                                        const text::Clock& clock = text::Clock());

// Returns "Order: storage and memory changed first, cpu 0.4 s later."; several are first if they
// lie as close as the samples tell. Empty if none was later.
std::string order_sentence(const attribute::Finding& finding);

// Returns for each companion "Along with it: Interrupts rose to 14 000 interrupts/s (usually 2 100
// interrupts/s), 0.3 s later (correlation 0.93, elsewhere 0.12).".
std::vector<std::string> companion_sentences(const Names& names, const attribute::Finding& finding);

// Returns "Incident: it followed finding 1, which began 3.4 s earlier.", or of that one "Incident:
// finding 2 followed, so this is the likely cause."; without Report::is_numbered "a finding of
// storage" instead of the number. Empty if it is alone. REQUIRES: it is one of the report's
// findings.
std::string incident_sentence(const Report& report, const attribute::Finding& finding);

}  // namespace reveal::report
