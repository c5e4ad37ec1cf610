import { describe, expect, test } from 'vitest';
import { cronJob } from './cron-job.ts';
import { refused, refusedUpdate, sampleOf } from './declared.fixture.ts';

describe('CronJob', () => {
  test('allows concurrent Jobs by default, and keeps three successful Jobs and one failed', () => {
    const { spec } = sampleOf(cronJob, { 'spec.concurrencyPolicy': undefined });
    expect(spec).toMatchObject({
      ...{ concurrencyPolicy: 'Allow', suspend: false },
      ...{ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    });
  });

  test('defaults only the pods of its Job template; the Jobs default the rest', () => {
    const { jobTemplate } = sampleOf(cronJob).spec;
    expect(jobTemplate.spec).not.toHaveProperty('completions');
    expect(jobTemplate.spec?.template.spec).toMatchObject({ dnsPolicy: 'ClusterFirst' });
  });

  test.each([
    [{ 'spec.schedule': undefined }, 'spec.schedule: Required value'],
    [
      { 'spec.schedule': '* * *' },
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    ],
    [
      { 'spec.schedule': 'TZ=UTC * * * * *' },
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
    [{ 'spec.timeZone': '' }, 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
    [{ 'spec.timeZone': 'a/../b' }, 'spec.timeZone: Invalid value: "a/../b": unknown time zone a/../b'],
    [
      { 'spec.timeZone': 'Mars/Base' },
      'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
    ],
    [
      { 'spec.concurrencyPolicy': 'Never' },
      'spec.concurrencyPolicy: Unsupported value: "Never": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      { 'spec.startingDeadlineSeconds': -1 },
      'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      { 'spec.jobTemplate.spec.template.spec.restartPolicy': 'Always' },
      'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      { 'spec.jobTemplate.spec.selector': { matchLabels: { a: 'b' } } },
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
    ],
    [
      { 'metadata.name': 'a'.repeat(53) },
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(cronJob, changes)).toEqual([why]);
  });

  test('rejects a local time zone', () => {
    expect(refused(cronJob, { 'spec.timeZone': 'Local' })).toEqual([
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ]);
  });

  test('accepts a name that is too long in an update', () => {
    expect(refusedUpdate(cronJob, {}, { 'metadata.name': 'a'.repeat(53) })).toEqual([]);
  });
});
