import { describe, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { jobController } from '#kata/65-job/job';
import { type JobScenario, laws, simulate, workloads } from '#laws/65-job';

/** All laws read the same runs. */
const run = remembering((scenario: JobScenario) => simulate(jobController, components, scenario));
