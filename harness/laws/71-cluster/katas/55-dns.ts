import * as dnsLaws from '../../55-dns/laws.ts';
import { inCluster } from './in-cluster.ts';

const NO_NAMES = 'the clusters of the scenarios have no CoreDNS, which would add its pods to each history';

/** The laws of kata 55. Names need CoreDNS. */
export const dns = inCluster({
  kata: '55-dns',
  of: dnsLaws,
  historiesOf: () => [],
  leftOut: {
    atRest: NO_NAMES,
    neverDenies: NO_NAMES,
    steady: NO_NAMES,
    inventsNothing: NO_NAMES,
    knows: NO_NAMES,
    thereAndBack: NO_NAMES,
    complete: NO_NAMES,
  },
});
