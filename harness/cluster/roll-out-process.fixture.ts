import type { Components } from '../contracts/component.ts';
import { costOfRollOut, type WorkloadName } from './roll-out.fixture.ts';

/**
 * A process for one roll-out: `node … roll-out-process.fixture.ts COMPONENTS WORKLOAD PODS`, with the module of the
 * components. Prints its cost as JSON.
 */

const [module, workload, pods] = process.argv.slice(2) as [string, WorkloadName, string];
const { components } = (await import(module)) as { components: Components };
const cost = await costOfRollOut(workload, Number(pods), components);
process.stdout.write(JSON.stringify(cost), () => process.exit());
