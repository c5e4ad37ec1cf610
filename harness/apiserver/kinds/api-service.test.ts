import { describe, expect, test } from 'vitest';
import { apiService } from './api-service.ts';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';

const named = { 'metadata.name': 'v1beta1.metrics.example.com' };

describe('APIService', () => {
  test('uses port 443 of its Service by default', () => {
    expect(sampleOf(apiService).spec.service).toMatchObject({ port: 443 });
  });

  test('is available at once exactly if the apiserver itself serves it', () => {
    expect(apiService.prepareForCreate(sampleOf(apiService)).status).toEqual({});
    const changes = { 'spec.service': undefined, 'spec.insecureSkipTLSVerify': undefined };
    const local = sampleOf(apiService, changes);
    expect(apiService.prepareForCreate(local).status.conditions).toEqual([
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: local.metadata.creationTimestamp,
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ]);
    expect(refused(apiService, { ...named, ...changes })).toEqual([]);
  });

  test.each([
    [
      { 'metadata.name': 'metrics' },
      'metadata.name: Invalid value: "metrics": must be `spec.version+"."+spec.group`: "v1beta1.metrics.example.com"',
    ],
    [
      { 'metadata.name': 'v2.', 'spec.group': '', 'spec.version': 'v2' },
      'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
    ],
    [
      { 'spec.groupPriorityMinimum': 0 },
      'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
    ],
    [
      { 'spec.versionPriority': 1001 },
      'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000',
    ],
    [{ 'spec.service.namespace': '' }, 'spec.service.namespace: Required value'],
    [{ 'spec.service.name': undefined }, 'spec.service.name: Required value'],
    [
      { 'spec.service.port': 70000 },
      'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    ],
    [
      { 'spec.caBundle': 'Q0E=' },
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ],
    [
      { 'spec.service': undefined },
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
    [
      { 'spec.service': undefined, 'spec.insecureSkipTLSVerify': false, 'spec.caBundle': 'Q0E=' },
      'spec.caBundle: Invalid value: "2 bytes": local APIServices may not have a caBundle',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(apiService, { ...named, ...changes })).toEqual([why]);
  });

  test('is validated in an update like a new one', () => {
    expect(refusedUpdate(apiService, { 'spec.versionPriority': 0 }, named)).toEqual([
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ]);
  });

  test('rejects an unknown status of a condition', () => {
    expect(
      refusedStatus(apiService, { 'status.conditions': [{ type: 'Available', status: 'Maybe' }] }),
    ).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    ]);
  });
});
