/**
 * The cost of a task, compared to its only unavoidable part: a turn of the event loop. The simulation needs it to wait
 * until every promise has settled.
 */
import { setImmediate } from 'node:timers';
import { sideBySide, type Work } from '../testing/side-by-side.ts';
import { Simulation } from './simulation.ts';

const TASKS = 20_000;

sideBySide(`The simulation, ${TASKS.toLocaleString('en')} tasks`, {
  unit: 'tasks',
  contenders: {
    'await setImmediate': () => turns,
    'one timer an instant': () => () => tasks(1),
    '16 tasks an instant, chosen': () => () => tasks(16),
  },
  measures: { all: (work: () => Work) => work() },
});

function turns(): Work {
  return async () => {
    for (let i = 0; i < TASKS; i++) await new Promise<void>((resolve) => setImmediate(resolve));
    return TASKS;
  };
}

function tasks(perInstant: number): Work {
  // Picks the last task that is due, so that the others have to move up.
  const sim = new Simulation({ choose: (count) => count - 1 });
  let ran = 0;
  for (let i = 0; i < TASKS; i++) sim.clock.after(1 + Math.floor(i / perInstant), () => ran++);
  return async () => {
    await sim.run();
    return ran;
  };
}
