/** The meaning of a text, by a model for embeddings. Vectors of different models are never compared. */
export interface VectorTable {
  /** memory | log */
  kind: string;
  /** Its id in `memories` or `log_messages`. */
  item: number;
  /** Of the log; 0 = a memory */
  chat: number;
  /** The embedder's id. */
  model: string;
  dimensions: number;
  /** 32-bit floats of a vector of length 1: as bytes in SQLite, as `real[]` in Postgres. */
  data: Uint8Array | readonly number[];
}
