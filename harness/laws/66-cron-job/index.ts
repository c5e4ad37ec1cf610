/** `#laws/66-cron-job`: the entry point for the tests. */
export * as cronJobLaws from './laws.ts';
export { type CronJobScenario, scenarios as cronJobScenarios } from './scenario.ts';
export { runCronJob } from './simulation.ts';
