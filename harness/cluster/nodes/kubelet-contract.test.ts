import type { Components } from '../../contracts/component.ts';
import { kubeletContract } from './kubelet-contract.ts';

const { components } = (await import('#components')) as { readonly components: Components };

kubeletContract('played by a script', {
  components,
  start: (cluster, node) => cluster.runStandIn('kubelet', { node }),
});

kubeletContract('the real one', {
  components,
  start: (cluster, node) => {
    cluster.addMachine(node);
    const [process] = cluster.runOnNode(node, 'kubelet');
    if (!process) throw new Error(`There is no kubelet on ${node}.`);
    return process;
  },
});
