import { describe, test } from 'vitest';
import { holdsInCluster } from '#laws/71-cluster';
import { own, reference } from '#own-components';

describe('The law of your cluster', () => {
  test('Every law: in every history of the whole cluster, every law of every kata holds', () =>
    holdsInCluster({ reference, own }));
});
