import { describe, expect, test } from 'vitest';
import { plainOrAggregated } from './aggregated-discovery.ts';
import { type Allows, asIs, negotiate } from './negotiation.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('negotiate', () => {
  test.each<[string | null, string | undefined]>([
    [null, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/yaml;q=0.5, application/json', 'application/json'],
    ['*/*, application/yaml', 'application/yaml'],
    ['application/json;stream=watch', 'application/json'],
    ['application/json;stream=other', undefined],
    ['text/html', undefined],
    ['application/vnd.kubernetes.protobuf, application/json', 'application/vnd.kubernetes.protobuf'],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json', 'application/json'],
    ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf'],
    [table, undefined],
    [`${table},application/json`, 'application/json'],
  ])('answers %s with %s', (accept, mediaType) => {
    expect(negotiate(accept, asIs)?.mediaType).toBe(mediaType);
  });

  test('offers the conversions of the endpoint', () => {
    const accept = `${aggregated}, ${aggregated.replace('v2', 'v2beta1')}, application/json`;
    const convert = { group: 'apidiscovery.k8s.io', version: 'v2', kind: 'APIGroupDiscoveryList' };
    expect(negotiate(accept, plainOrAggregated)).toEqual({ mediaType: 'application/json', convert });
    const noneOfThem: Allows = () => false;
    expect(negotiate(accept, noneOfThem)).toBeUndefined();
  });
});
