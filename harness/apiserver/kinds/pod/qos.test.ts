import { describe, expect, test } from 'vitest';
import { container } from './pod.fixture.ts';
import { computePodQOS } from './qos.ts';

type List = Record<string, string>;
const both = { cpu: '1', memory: '1Gi' };
const qosOf = (...resources: { limits?: List; requests?: List }[]) =>
  computePodQOS({ containers: resources.map((each) => container({ resources: each })) });

describe('quality of service', () => {
  test('is BestEffort without requests and limits', () => {
    expect(qosOf({})).toBe('BestEffort');
    expect(qosOf({ requests: { cpu: '0' } })).toBe('BestEffort');
    expect(qosOf({ limits: { 'example.com/gpu': '1' }, requests: { 'ephemeral-storage': '1Gi' } })).toBe(
      'BestEffort',
    );
  });

  test('is Guaranteed when requests equal limits for cpu and memory in all containers', () => {
    expect(qosOf({ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } })).toBe('Guaranteed');
    expect(qosOf({ limits: both, requests: both }, { limits: both, requests: both })).toBe('Guaranteed');
  });

  test('is Burstable otherwise', () => {
    expect(qosOf({ requests: { cpu: '1' } })).toBe('Burstable');
    expect(qosOf({ limits: { cpu: '1' }, requests: { cpu: '1' } })).toBe('Burstable');
    expect(qosOf({ limits: both, requests: { cpu: '500m', memory: '1Gi' } })).toBe('Burstable');
    expect(qosOf({ limits: both, requests: both }, {})).toBe('Burstable');
  });

  test('counts init containers', () => {
    const guaranteed = container({ resources: { limits: both, requests: both } });
    expect(computePodQOS({ containers: [guaranteed], initContainers: [container()] })).toBe('Burstable');
    expect(computePodQOS({ containers: [guaranteed], initContainers: [guaranteed] })).toBe('Guaranteed');
  });
});
