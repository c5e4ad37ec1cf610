import { describe, expect, test } from 'vitest';
import { lines } from './pod.fixture.ts';
import { validateResourceRequirements } from './resources.ts';

const check = (limits: Record<string, string>, requests: Record<string, string> = {}) =>
  lines(validateResourceRequirements({ limits, requests }, 'r'));

describe('requests and limits', () => {
  test('are compared as amounts, not as texts', () => {
    expect(check({ cpu: '1', memory: '1Gi' }, { cpu: '1000m', memory: '1024Mi' })).toEqual([]);
  });

  test('reject a request above the limit', () => {
    expect(check({ cpu: '100m' }, { cpu: '200m' })).toEqual([
      'r.requests: Invalid value: "200m": must be less than or equal to cpu limit of 100m',
    ]);
  });

  test('accept a request without a limit', () => {
    expect(check({}, { cpu: '1' })).toEqual([]);
  });

  test('must be equal for devices and huge pages', () => {
    expect(check({ 'example.com/gpu': '2' }, { 'example.com/gpu': '1' })).toEqual([
      'r.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2',
    ]);
    expect(check({}, { 'example.com/gpu': '1' })).toEqual([
      'r.limits: Required value: Limit must be set for non overcommitable resources',
    ]);
  });

  test('reject a fraction of a device', () => {
    expect(check({ 'example.com/gpu': '500m' })).toEqual([
      'r.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
    ]);
  });

  test('accept only whole huge pages, together with another resource', () => {
    expect(check({ 'hugepages-2Mi': '4Mi', cpu: '1' })).toEqual([]);
    expect(check({ 'hugepages-2Mi': '3Mi' })).toEqual([
      'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'r: Forbidden: HugePages require cpu or memory',
    ]);
  });

  test('reject negative amounts', () => {
    expect(check({ cpu: '-1' })).toEqual([
      'r.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  test('reject resources that a container cannot have', () => {
    expect(check({ gpu: '1' })).toEqual([
      'r.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
      'r.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers',
    ]);
    expect(check({ pods: '1' })).toEqual([
      'r.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
    ]);
    expect(check({ 'requests.example.com/gpu': '1' })).toEqual([
      'r.limits[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn\'t follow extended resource name standard',
    ]);
  });
});
