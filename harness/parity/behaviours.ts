import { applies } from './areas/applies.ts';
import { inEvents, inNodes } from './areas/cluster.ts';
import { configuration } from './areas/configuration.ts';
import { defaults } from './areas/defaults.ts';
import { deletion } from './areas/deletion.ts';
import { deploying } from './areas/deployments.ts';
import { formats } from './areas/formats.ts';
import { garbage } from './areas/garbage.ts';
import { pulling } from './areas/images.ts';
import { lifecycle } from './areas/lifecycle.ts';
import { lists } from './areas/lists.ts';
import { customResources, inNamespaces } from './areas/namespaces.ts';
import { names, network } from './areas/network.ts';
import { objects } from './areas/objects.ts';
import { patches } from './areas/patches.ts';
import { running } from './areas/pods.ts';
import { probing } from './areas/probes.ts';
import { replicasets } from './areas/replicasets.ts';
import { scheduling } from './areas/scheduling.ts';
import { inEndpoints, inServices } from './areas/services.ts';
import { streaming } from './areas/streams.ts';
import { subresources } from './areas/subresources.ts';
import { validation } from './areas/validation.ts';
import { watches } from './areas/watches.ts';
import type { Behaviour } from './behaviour.ts';

/** Every behaviour, by area. */
export const behaviours: readonly Behaviour[] = [
  ...objects,
  ...deletion,
  ...lists,
  ...watches,
  ...patches,
  ...applies,
  ...subresources,
  ...validation,
  ...defaults,
  ...formats,
  ...inNamespaces,
  ...customResources,
  ...replicasets,
  ...deploying,
  ...garbage,
  ...scheduling,
  ...inServices,
  ...inEndpoints,
  ...running,
  ...lifecycle,
  ...configuration,
  ...streaming,
  ...probing,
  ...pulling,
  ...network,
  ...names,
  ...inEvents,
  ...inNodes,
];
