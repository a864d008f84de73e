"""`python -m crewsolve` is the command `crewsolve`."""

from crewsolve.cli import main

if __name__ == "__main__":
    main(prog_name="crewsolve")
