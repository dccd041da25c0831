export { hydra, type HydraApp, type HydraOptions } from './hydra.ts'
