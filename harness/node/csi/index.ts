/** Storage drivers for machines. */
export { type CsiDriverOptions, CsiStorage, createCsiDriver } from './driver.ts';
