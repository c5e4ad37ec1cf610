/** Storage drivers for machines. */
export { CsiStorage, createCsiDriver } from './driver.ts';
