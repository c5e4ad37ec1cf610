import { describe, expect, test } from 'vitest';
import { type Changes, refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { job } from './job.ts';

/** A Job with few fields. */
const plain: Changes = {
  'spec.completions': undefined,
  'spec.parallelism': undefined,
  'spec.completionMode': undefined,
  'spec.backoffLimitPerIndex': undefined,
  'spec.maxFailedIndexes': undefined,
  'spec.podFailurePolicy': undefined,
  'spec.successPolicy': undefined,
};

describe('Job', () => {
  test('runs one pod by default, and retries six times', () => {
    expect(sampleOf(job, plain).spec).toMatchObject({
      ...{ completions: 1, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
      ...{ podReplacementPolicy: 'TerminatingOrFailed', manualSelector: false },
    });
    expect(sampleOf(job, { ...plain, 'spec.parallelism': 3 }).spec).not.toHaveProperty('completions');
    expect(sampleOf(job).spec).toMatchObject({
      ...{ backoffLimit: 2 ** 31 - 1, podReplacementPolicy: 'Failed' },
    });
  });

  test('copies the labels of its template by default', () => {
    expect(sampleOf(job).metadata.labels).toEqual({ app: 'web' });
    expect(sampleOf(job, { 'metadata.labels': { a: 'b' } }).metadata.labels).toEqual({ a: 'b' });
  });

  test('selects its pods by its UID', () => {
    const { spec } = job.prepareForCreate(sampleOf(job));
    expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } });
    expect(spec.template.metadata?.labels).toEqual({
      app: 'web',
      'job-name': 'a',
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': 'u-1',
      'batch.kubernetes.io/controller-uid': 'u-1',
    });
  });

  test('keeps its own selector with manualSelector', () => {
    const changes = { 'spec.manualSelector': true, 'spec.selector': { matchLabels: { app: 'web' } } };
    expect(job.prepareForCreate(sampleOf(job, changes)).spec.template.metadata?.labels).toEqual({
      app: 'web',
    });
    expect(refused(job, changes)).toEqual([]);
    expect(refused(job, { 'spec.manualSelector': true })).toEqual([
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  test('rejects labels that conflict with its own', () => {
    const label = 'spec.template.metadata.labels';
    const causes = refused(job, { [label]: { 'job-name': 'b' } });
    expect(causes).toEqual([
      `${label}[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"u-1","batch.kubernetes.io/job-name":"a","controller-uid":"u-1","job-name":"b"}: must be 'a'`,
    ]);
  });

  test.each([
    [{ 'spec.parallelism': -1 }, 'spec.parallelism: Invalid value: -1: must be greater than or equal to 0'],
    [
      { 'spec.completionMode': 'Some' },
      'spec.completionMode: Unsupported value: "Some": supported values: "NonIndexed", "Indexed"',
    ],
    [{ 'spec.completions': undefined }, 'spec.completions: Required value: when completion mode is Indexed'],
    [
      { 'spec.parallelism': 100_001 },
      'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
    ],
    [
      { 'spec.maxFailedIndexes': 5 },
      'spec.maxFailedIndexes: Invalid value: 5: must be less than or equal to completions',
    ],
    [
      { 'spec.backoffLimitPerIndex': undefined },
      'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
    ],
    [
      { 'spec.managedBy': 'nobody' },
      'spec.managedBy: Invalid value: "nobody": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { 'spec.podReplacementPolicy': 'TerminatingOrFailed' },
      'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
    ],
    [
      { 'spec.template.spec.restartPolicy': 'OnFailure' },
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
    [
      { 'spec.podFailurePolicy.rules.0.onExitCodes.values': [3, 0, 3] },
      'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
    ],
    [
      { 'spec.podFailurePolicy.rules.0.onExitCodes.containerName': 'b' },
      'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "b": must be one of the container or initContainer names in the pod template',
    ],
    [
      { 'spec.podFailurePolicy.rules.1.onPodConditions': [] },
      'spec.podFailurePolicy.rules[1]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
    ],
    [
      { 'spec.podFailurePolicy.rules.1.action': undefined },
      'spec.podFailurePolicy.rules[1].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
    ],
    [
      { 'spec.successPolicy.rules.0.succeededIndexes': '2,1' },
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
    ],
    [
      { 'spec.successPolicy.rules.0.succeededIndexes': '0-9' },
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-9": error parsing succeededIndexes: too large index: "9"',
    ],
    [
      { 'spec.successPolicy.rules.0.succeededCount': 4 },
      'spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)',
    ],
    [
      { 'metadata.name': 'a'.repeat(62) },
      `metadata.name: Invalid value: "${'a'.repeat(62)}": will not able to create pod with invalid DNS label: ${'a'.repeat(62)}-3`,
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(job, changes)).toContain(why);
  });

  test('has no index settings unless it is indexed', () => {
    const changes = {
      ...plain,
      'spec.backoffLimitPerIndex': 1,
      'spec.successPolicy': { rules: [{ succeededCount: 1 }] },
    };
    expect(refused(job, changes)).toEqual([
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
    ]);
  });

  test('rejects pods that restart forever', () => {
    expect(refused(job, { ...plain, 'spec.template.spec.restartPolicy': undefined })).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  test('rejects changes of its immutable fields', () => {
    expect(refusedUpdate(job, { 'spec.parallelism': 1, 'spec.suspend': true })).toEqual([]);
    expect(refusedUpdate(job, { 'spec.completions': 5 })).toEqual([
      'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism',
    ]);
    expect(refusedUpdate(job, { 'spec.completions': 5, 'spec.parallelism': 5 })).toEqual([]);
    expect(refusedUpdate(job, { 'spec.completions': 5 }, plain)).toEqual([
      'spec.completions: Invalid value: 5: field is immutable',
    ]);
    expect(refusedUpdate(job, { 'spec.backoffLimitPerIndex': 2 })).toEqual([
      'spec.backoffLimitPerIndex: Invalid value: 2: field is immutable',
    ]);
    const [cause] = refusedUpdate(job, { 'spec.template.spec.containers.0.image': 'b' });
    expect(cause).toMatch(/^spec\.template: Invalid value: \{.*\}: field is immutable$/);
  });

  test('can change its scheduling directives while it is suspended and has no pods', () => {
    const suspended = { 'spec.suspend': true };
    expect(refusedUpdate(job, { 'spec.template.spec.nodeSelector': { disk: 'ssd' } }, suspended)).toEqual([]);
    const requests = { 'spec.template.spec.containers.0.resources': { requests: { cpu: '1' } } };
    expect(refusedUpdate(job, requests, suspended)).toEqual([]);
    const image = { 'spec.template.spec.containers.0.image': 'b' };
    expect(refusedUpdate(job, image, suspended)[0]).toMatch(/^spec\.template\.spec: .* field is immutable$/);
  });

  const failed = [
    { type: 'FailureTarget', status: 'True' },
    { type: 'Failed', status: 'True' },
  ];
  test.each([
    [{ 'status.succeeded': -1 }, 'status.succeeded: Invalid value: -1: must be greater than or equal to 0'],
    [{ 'status.ready': 3 }, 'status.ready: Invalid value: 3: cannot set more ready pods than active'],
    [
      { 'status.completedIndexes': '7' },
      'status.completedIndexes: Invalid value: "7": error parsing completedIndexes: too large index: "7"',
    ],
    [
      { 'status.completedIndexes': '0-2', 'status.failedIndexes': '1' },
      'status.failedIndexes: Invalid value: "1": failedIndexes and completedIndexes overlap at index: 1',
    ],
    [
      { 'status.uncountedTerminatedPods': { succeeded: ['a', ''], failed: ['b'] } },
      'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
    ],
    [
      { 'status.uncountedTerminatedPods': { succeeded: ['a'], failed: ['a'] } },
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
    ],
    [
      { 'status.completionTime': '2024-05-01T11:00:00Z' },
      'status.completionTime: Invalid value: "2024-05-01T11:00:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
    [
      { 'status.conditions': [{ type: 'Failed', status: 'True' }] },
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      { 'status.conditions': failed },
      'status.active: Invalid value: 2: active>0 is invalid for finished job',
    ],
    [
      { 'status.startTime': '2024-05-01T12:00:00Z' },
      'status.startTime: Invalid value: "2024-05-01T12:00:00Z": field is immutable for unsuspended job once set',
    ],
  ])('rejects the status %j', (changes, why) => {
    expect(refusedStatus(job, changes)).toContain(why);
  });

  test('rejects a status that leaves a terminal state', () => {
    const of = { 'status.conditions': failed, 'status.active': 0, 'status.failed': 2 };
    expect(refusedStatus(job, {}, of)).toEqual([]);
    expect(refusedStatus(job, { 'status.conditions': [], 'status.failed': 1 }, of)).toEqual([
      'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
      'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
      'status.failed: Invalid value: 1: cannot decrease the failed counter',
    ]);
  });

  test('can be selected by the number of its successful pods', () => {
    expect(job.selectableFields(sampleOf(job, { 'status.succeeded': 3 }))).toEqual({
      'status.successful': '3',
    });
  });
});
