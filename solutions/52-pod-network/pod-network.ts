/**
 * The reference pod network: the plugin that connects a pod with its node, and the agent that connects the nodes. Each
 * level has a file.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/main/bridge; flannel-io/flannel@v0.28.9 pkg/backend/hostgw
 */
import { type CniPlugin, pluginMain } from '#harness';
import { delegate } from './addresses.ts';
import { add, check, del, gc } from './commands.ts';

// Level 1 · The bridge

export { ensureBridge } from './bridge-link.ts';

// Level 2 · The pair

export { hostVethName, removeVeth, setUpVeth } from './veth.ts';

// Level 3 · Addresses

export { addressingOf, configureInterface, delegate, ensureGateway } from './addresses.ts';

// Levels 4 and 6 · The commands

export { add, check, del, gc } from './commands.ts';

/** The plugin with all its commands. */
export const bridge: CniPlugin = pluginMain({
  add,
  del,
  check,
  gc,
  status: async (request) => void (await delegate(request, 'STATUS')),
});

// Level 5 · To the outside

export { masqueradeRemoval, masqueradeRules, tearDownMasquerade } from './masquerade.ts';

// Level 7 · Routes between nodes

export { desiredRoutes, installedRoutes, routeCommands } from './routes.ts';

// Level 8 · The agent of a node

export { networkMasqueradeRules, routeController, syncNode } from './route-controller.ts';
