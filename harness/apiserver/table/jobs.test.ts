import { describe, expect, test } from 'vitest';
import type { JobSpec, JobStatus } from '#api/batch/v1';
import { cells, daysAgo, row, secondsAgo } from './cells.fixture.ts';
import { cronJobColumns, jobColumns } from './jobs.ts';

const template = { spec: { containers: [{ name: 'a', image: 'image-a' }] } };
const metadata = { name: 'once', creationTimestamp: daysAgo(3650) };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintJob
describe('A Job', () => {
  const job = (spec: Partial<JobSpec>, status: JobStatus = {}, deleted = false) => ({
    metadata: { ...metadata, ...(deleted ? { deletionTimestamp: secondsAgo(1) } : {}) },
    spec: { template, ...spec },
    status,
  });

  test('shows all columns', () => {
    const selector = { matchLabels: { job: 'once' } };
    expect(row(jobColumns, job({ completions: 2, selector }, { succeeded: 1 }))).toEqual([
      ...['once', 'Running', '1/2', '', '10y', 'a', 'image-a', 'job=once'],
    ]);
  });

  test.each([
    [{ completions: 0 }, '1/0'],
    [{}, '1/1'],
    [{ parallelism: 1 }, '1/1'],
    [{ parallelism: 3 }, '1/1 of 3'],
  ])('with %j has the completions %s', (spec, told) => {
    expect(cells(jobColumns, job(spec, { succeeded: 1 })).Completions).toBe(told);
  });

  test.each([
    [{}, ''],
    [{ startTime: secondsAgo(20 * 60) }, '20m'],
    [{ startTime: secondsAgo(33 * 60), completionTime: secondsAgo(3 * 60) }, '30m'],
  ])('with the status %j has the duration "%s"', (status, told) => {
    expect(cells(jobColumns, job({}, status)).Duration).toBe(told);
  });

  test.each<[readonly string[], boolean, string]>([
    [[], false, 'Running'],
    [[], true, 'Terminating'],
    [['Complete'], true, 'Complete'],
    [['FailureTarget', 'Failed'], false, 'Failed'],
    [['Suspended'], true, 'Terminating'],
    [['SuccessCriteriaMet', 'FailureTarget', 'Suspended'], false, 'Suspended'],
    [['SuccessCriteriaMet', 'FailureTarget'], false, 'FailureTarget'],
    [['SuccessCriteriaMet'], false, 'SuccessCriteriaMet'],
  ])('with the conditions %j, deleted %s, has the status %s', (types, deleted, told) => {
    const conditions = types.map((type) => ({ type, status: 'True' }));
    expect(cells(jobColumns, job({}, { conditions }, deleted)).Status).toBe(told);
  });

  test('ignores a condition that is not True', () => {
    const conditions = [{ type: 'Complete', status: 'False' }];
    expect(cells(jobColumns, job({}, { conditions })).Status).toBe('Running');
  });
});

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintCronJob
test('A CronJob shows its schedule and the state of its jobs', () => {
  const jobTemplate = { spec: { template, selector: { matchLabels: { a: 'b' } } } };
  const spec = { schedule: '0/5 * * * *', jobTemplate };
  expect(row(cronJobColumns, { metadata, spec })).toEqual([
    ...['once', '0/5 * * * *', '<none>', '<unset>', 0, '<none>', '10y', 'a', 'image-a', 'a=b'],
  ]);
  const more = { ...spec, timeZone: 'Europe/Paris', suspend: false };
  const status = { active: [{}, {}], lastScheduleTime: secondsAgo(30) };
  expect(row(cronJobColumns, { metadata, spec: more, status }).slice(2, 6)).toEqual([
    ...['Europe/Paris', 'False', 2, '30s'],
  ]);
  expect(cells(cronJobColumns, { spec: { ...spec, suspend: true } }).Suspend).toBe('True');
});
