import { expose } from 'comlink';
import { realClock } from '../mount/real-clock.ts';
import { importModule } from './own/import-module.ts';
import { OwnParts } from './own/own-parts.ts';
import { READY } from './protocol/run-service.ts';
import { newRunService } from './run/service.ts';
import { observeCluster } from './view/index.ts';

/** The worker of the page: a run of a cluster, which the page drives through a {@link RunService}. */
const { components } = await import('#components');

const own = new OwnParts(importModule);

expose(newRunService({ reference: components, own, observe: observeCluster, clock: realClock }));
// Messages that arrive while the modules load are lost.
postMessage(READY);
