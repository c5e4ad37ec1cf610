import { expect, test } from 'vitest';
import * as ipamLaws from '../../51-ipam/laws/index.ts';
import * as podNetworkLaws from '../../52-pod-network/laws.ts';
import * as endpointsLaws from '../../53-endpoints/laws.ts';
import * as proxyLaws from '../../54-service-proxy/laws.ts';
import * as dnsLaws from '../../55-dns/laws.ts';
import * as nodeIpamLaws from '../../56-node-ipam/laws.ts';
import * as mirroringLaws from '../../57-endpoint-slice-mirroring/laws.ts';
import * as nodeLaws from '../../61-node-lifecycle/laws/index.ts';
import * as namespaceLaws from '../../62-namespace/laws/index.ts';
import * as serviceAccountLaws from '../../64-service-account/laws/index.ts';
import { katasInCluster } from './index.ts';

/** All laws of each kata, by their names. */
const lawsOf: Readonly<Record<string, object>> = {
  '51-ipam': ipamLaws,
  '52-pod-network': podNetworkLaws,
  '53-endpoints': endpointsLaws,
  '54-service-proxy': proxyLaws,
  '55-dns': dnsLaws,
  '56-node-ipam': nodeIpamLaws,
  '57-endpoint-slice-mirroring': mirroringLaws,
  '61-node-lifecycle': nodeLaws,
  '62-namespace': namespaceLaws,
  '64-service-account': serviceAccountLaws,
};

test.each(Object.entries(lawsOf))(
  'judges a whole cluster by each law of %s, or says why not',
  (kata, all) => {
    const { laws = {}, leftOut = {} } = katasInCluster.find((each) => each.kata === kata) ?? {};
    const names = [...Object.keys(laws), ...Object.keys(leftOut)];
    expect(names.toSorted()).toEqual(Object.keys(all).toSorted());
  },
);
