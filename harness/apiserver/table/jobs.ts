import type { CronJob, Job } from '#api/batch/v1';
import { type Ago, durationBetween } from './ago.ts';
import { age, boolean, type Column, integer, NONE, name, text, UNSET, wide } from './column.ts';
import { containerColumns } from './containers.ts';
import { humanDuration } from './human-duration.ts';
import { formatLabelSelector } from './labels.ts';

/** The columns of a Job. */
export const jobColumns: readonly Column<Job>[] = [
  name,
  text('Status', 'How far the job is.', jobStatus),
  text('Completions', 'How many pods have succeeded, of how many.', completions),
  text('Duration', 'How long the job took, or takes already.', duration),
  age,
  ...containerColumns<Job>(({ spec }) => spec?.template),
  wide(text('Selector', 'The labels of its pods.', ({ spec }) => formatLabelSelector(spec?.selector))),
];

/** The columns of a CronJob. The value of Suspend is a text although its column has the type boolean. */
export const cronJobColumns: readonly Column<CronJob>[] = [
  name,
  text('Schedule', 'When jobs begin, as cron writes it.', ({ spec }) => spec?.schedule ?? ''),
  text('Timezone', 'The time zone of the schedule.', ({ spec }) => spec?.timeZone ?? NONE),
  boolean('Suspend', 'Whether no further jobs begin.', ({ spec }) => truth(spec?.suspend)),
  integer('Active', 'How many jobs run now.', ({ status }) => status?.active?.length ?? 0),
  text('Last Schedule', 'The time since the last job was due.', ({ status }, ago) =>
    status?.lastScheduleTime ? ago(status.lastScheduleTime) : NONE,
  ),
  age,
  ...containerColumns<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.template),
  wide(
    text('Selector', 'The labels of the pods of its jobs.', ({ spec }) =>
      formatLabelSelector(spec?.jobTemplate?.spec?.selector),
    ),
  ),
];

function truth(value: boolean | null | undefined): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : UNSET;
}

/** The final conditions of a job, which it shows even during its deletion. */
const ENDS = ['Complete', 'Failed'];
const STAGES = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

function jobStatus({ metadata, status }: Job): string {
  const has = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
  const going = metadata?.deletionTimestamp ? 'Terminating' : STAGES.find(has);
  return ENDS.find(has) ?? going ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (typeof spec?.completions === 'number') return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status }: Job, ago: Ago): string {
  const { startTime, completionTime } = status ?? {};
  if (!startTime) return '';
  if (!completionTime) return ago(startTime);
  return humanDuration(durationBetween(Date.parse(startTime), Date.parse(completionTime)));
}
