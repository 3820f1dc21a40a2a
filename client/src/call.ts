/** A record with the answer that it came in. */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: Response;
}

/** A request on its way: a promise of its data, through which the answer itself can be had as well. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag]: string = "Call";
  readonly #response: Promise<Response>;
  readonly #read: (response: Response) => Promise<Data>;
  #data: Promise<Data> | undefined;

  constructor(response: Promise<Response>, read: (response: Response) => Promise<Data>) {
    this.#response = response;
    this.#read = read;
  }

  /** The answer, whose body nobody has read. It is not an error's: those reject. */
  asResponse(): Promise<Response> {
    return this.#response;
  }

  /** The data, and the answer for its status and headers. */
  async withResponse(): Promise<WithResponse<Data>> {
    return { data: await this, response: await this.#response };
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Done = Data, Failed = never>(
    done?: ((data: Data) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#data ??= this.#response.then(this.#read);
    return this.#data.then(done, failed);
  }

  catch<Failed = never>(failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<Data | Failed> {
    return this.then(null, failed);
  }

  finally(then?: (() => void) | null): Promise<Data> {
    return this.then().finally(then);
  }
}
