import type * as batch from '#api/batch/v1';
import { CronScheduleError, parseCronSchedule } from '../../api/cron-schedule.ts';
import type { CronJob } from '../../api/objects.ts';
import { cronJobs } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { isTimeZone } from '../../api/time-zone.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, nonnegative, oneOf, type Rule, required } from '../declare/rules.ts';
import { invalid, notSupported } from '../validation/field-error.ts';
import { jobSpec, setJobTemplateSpecDefaults } from './job-spec.ts';
import { nameWarnings } from './name-warnings.ts';

const schedule: Rule<string> = (value = '', path) => {
  const why = whyNoSchedule(value);
  return [
    ...(why ? [invalid(path, value, why)] : []),
    ...(value.includes('TZ')
      ? [invalid(path, value, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
      : []),
  ];
};

/** Returns why a text is not a schedule; undefined when it is one. */
function whyNoSchedule(text: string): string | undefined {
  try {
    parseCronSchedule(text);
    return undefined;
  } catch (error) {
    if (error instanceof CronScheduleError) return error.message;
    throw error;
  }
}

/** Requires the name of a time zone, not an offset, and not the server's local time zone. Upstream: validateTimeZone */
const timeZone: Rule<string> = (value, path) => {
  if (value === undefined) return [];
  if (value === '') return [invalid(path, value, 'timeZone must be nil or non-empty string')];
  const isWellFormed = value
    .split('/')
    .every((part) => /^[A-Za-z._0-9+][A-Za-z.\-_0-9+]{0,13}$/.test(part) && part !== '.' && part !== '..');
  if (!isWellFormed) return [invalid(path, value, `unknown time zone ${value}`)];
  if (value.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [invalid(path, value, detail)];
  }
  return isTimeZone(value) ? [] : [invalid(path, value, `unknown time zone ${value}`)];
};

/** Rejects a selector: each Job gets its own. Upstream: ValidateJobTemplateSpec */
const generatedSelector: Rule<batch.JobTemplateSpec> = (template, path) => {
  const { selector, manualSelector } = template?.spec ?? {};
  const causes: Cause[] = [];
  if (selector) causes.push(invalid(`${path}.spec.selector`, selector, '`selector` will be auto-generated'));
  if (manualSelector) {
    causes.push(notSupported(`${path}.spec.manualSelector`, manualSelector, ['nil', 'false']));
  }
  return causes;
};

const jobTemplate = fields<batch.JobTemplateSpec>({ spec: jobSpec });

/**
 * The kind CronJob.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/batch/cronjob/strategy.go, pkg/apis/batch/v1/defaults.go
 * SetDefaults_CronJob, pkg/apis/batch/validation/validation.go ValidateCronJobCreate
 *
 * Differs: a time zone is known if JavaScript knows it. Upstream accepts an old schedule with `TZ` that was stored
 * before the rule existed; no stored object here has one.
 */
export const cronJob = declareKind<CronJob>({
  resource: cronJobs,
  generationOf: ({ spec }) => spec,
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withChanged(
        withDefaults(spec, {
          concurrencyPolicy: 'Allow',
          suspend: false,
          successfulJobsHistoryLimit: 3,
          failedJobsHistoryLimit: 1,
        }),
        'jobTemplate',
        (template) => withChanged(template, 'spec', setJobTemplateSpecDefaults),
      ),
    ),
  warningsOnCreate: ({ metadata }) => nameWarnings(metadata.name),

  rules: [
    fields<CronJob>({
      spec: fields<batch.CronJobSpec>({
        schedule: required(schedule),
        startingDeadlineSeconds: nonnegative,
        timeZone,
        concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
        jobTemplate: (template, path) => [
          ...jobTemplate(template, path),
          ...generatedSelector(template, path),
        ],
        successfulJobsHistoryLimit: nonnegative,
        failedJobsHistoryLimit: nonnegative,
      }),
    }),
  ],
  // The controller appends eleven characters to this name for each Job.
  createRules: [
    ({ metadata: { name } }) =>
      Buffer.byteLength(name) > 52
        ? [invalid('metadata.name', name, 'must be no more than 52 characters')]
        : [],
  ],
});
